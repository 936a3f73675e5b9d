/** Assembles webhooks: the check of their targets, and the dispatcher that sends to them. */
import type { Wakes } from '../cluster/wakes.ts';
import type { Clock } from '../core/clock.ts';
import type { Vault } from '../core/vault.ts';
import type { Database } from '../db/database.ts';
import type { Metrics } from '../observability/metrics.ts';
import { Dispatcher } from './dispatcher.ts';
import { createResolver } from './dns.ts';
import { createSender } from './sender.ts';
import { createTargets, type Resolve, type Targets } from './targets.ts';

/** Settings that may differ from those of a public server. */
export interface WebhookSettings {
  /** Whether receivers on this machine are allowed. */
  readonly allowLoopback: boolean;
  /** Resolves host names; by default the name servers of this machine do. */
  readonly resolve?: Resolve;
  /** CA certificates in PEM, instead of those that Node trusts. */
  readonly ca?: string;
  /** Milliseconds to wait for a receiver. */
  readonly timeout?: number;
  /** Milliseconds before each attempt. */
  readonly schedule?: readonly number[];
  /** Milliseconds that an instance holds an attempt that it claimed. */
  readonly lease?: number;
  /** Milliseconds between two polls for due attempts. */
  readonly poll?: number;
}

export interface WebhooksOptions extends WebhookSettings {
  readonly database: Database;
  readonly wakes: Wakes;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly production: boolean;
  readonly vault: Vault;
  /** Called with internal failures. */
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
  return { targets, dispatcher: new Dispatcher({ send, ...others }) };
}
