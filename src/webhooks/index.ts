/** Webhooks, put together: which targets are allowed, and the dispatcher that sends to them. */
import type { Wakes } from '../cluster/wakes.ts';
import type { Clock } from '../core/clock.ts';
import type { Vault } from '../core/vault.ts';
import type { Database } from '../db/database.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import { createResolver } from './resolver.ts';
import { createSender } from './sender.ts';
import { createTargets, type Resolve, type Targets } from './targets.ts';

/** What may be otherwise than it is in a server that is open to the world. */
export interface WebhookSettings {
  /** Whether receivers may be on this machine. */
  readonly allowLoopback: boolean;
  /** Who is asked for the addresses of names, in place of the name servers of this machine. */
  readonly resolve?: Resolve;
  /** Certificates of authorities, in PEM, in place of those that Node trusts. */
  readonly ca?: string;
  /** Milliseconds to wait for a receiver. */
  readonly timeout?: number;
  /** Milliseconds before each attempt. */
  readonly schedule?: readonly number[];
  /** Milliseconds that an attempt is left to who took it up. */
  readonly lease?: number;
  /** Milliseconds between two looks for what is due. */
  readonly poll?: number;
}

export interface WebhooksOptions extends WebhookSettings {
  readonly database: Database;
  readonly wakes: Wakes;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly production: boolean;
  readonly vault: Vault;
  /** Called with what went wrong on this side. */
  readonly onFailure: (error: unknown) => void;
}

export interface Webhooks {
  readonly targets: Targets;
  readonly dispatcher: Dispatcher;
}

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { production, allowLoopback, resolve = createResolver(), ...others } = options;
  const targets = createTargets({ allowHttp: !production, allowLoopback }, resolve);
  const send = createSender({ targets, ...others });
  return { targets, dispatcher: createDispatcher({ send, ...others }) };
}
