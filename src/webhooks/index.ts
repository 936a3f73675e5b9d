import { Dispatcher, type DispatcherOptions } from './dispatcher.ts';
import { createResolver } from './dns.ts';
import { createSender } from './sender.ts';
import { createTargets, type Resolve } from './targets.ts';

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

export interface WebhooksOptions
  extends WebhookSettings,
    Omit<DispatcherOptions, 'send' | 'schedule' | 'lease' | 'poll'> {
  readonly production: boolean;
}

export function createWebhooks(options: WebhooksOptions) {
  const { production, allowLoopback, resolve = createResolver(), ...others } = options;
  const targets = createTargets({ allowHttp: !production, allowLoopback }, resolve);
  const send = createSender({ targets, ...others });
  return { targets, dispatcher: new Dispatcher({ send, ...others }) };
}
