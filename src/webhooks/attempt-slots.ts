/** How many attempts run at once in a process: prompt receivers do not wait for slow ones, however many those are. */
import { LRUCache } from 'lru-cache';
import { KeyedCounts } from '../core/keyed-counts.ts';
import { LIMITS } from '../core/limits.ts';

export interface AttemptSlotsOptions {
  /** Maximum attempts that run for less than `prompt` milliseconds, {@link LIMITS.webhooksConcurrency} by default. */
  readonly slots?: number;
  /** Maximum attempts for receivers that are known to be slow when they begin, {@link LIMITS.webhooksSlow} by default. */
  readonly slowSlots?: number;
  /** Milliseconds after which an attempt is slow, {@link LIMITS.webhookPrompt} by default. */
  readonly prompt?: number;
  /** Called when an attempt has become slow, which frees a slot for prompt receivers. */
  readonly onFreed: () => void;
}

/**
 * The slots of attempts. Those that have become slow have slots of their own, as do new attempts for the same webhooks, until one of them
 * ends promptly. So silent receivers occupy the other slots only for a short time, and only once.
 */
export class AttemptSlots {
  readonly #options: Required<AttemptSlotsOptions>;
  /** Number of attempts in progress, by webhook. */
  readonly #busy = new KeyedCounts<number>();
  /** The webhooks whose last attempt was slow. */
  readonly #slow = new LRUCache<number, true>({ max: LIMITS.rememberedSlowWebhooks });
  readonly #inUse = { prompt: 0, slow: 0 };

  constructor(options: AttemptSlotsOptions) {
    this.#options = {
      slots: LIMITS.webhooksConcurrency,
      slowSlots: LIMITS.webhooksSlow,
      prompt: LIMITS.webhookPrompt,
      ...options,
    };
  }

  /** Number of attempts in progress for a webhook. */
  busyWith(webhookId: number): number {
    return this.#busy.of(webhookId);
  }

  /** How many attempts for a webhook may begin now. */
  freeFor(webhookId: number): number {
    const { slots, slowSlots } = this.#options;
    const { prompt, slow } = this.#inUse;
    const free = this.#slow.has(webhookId) ? slowSlots - slow : slots - prompt;
    const left = LIMITS.webhooksTotal - prompt - slow;
    return Math.max(0, Math.min(LIMITS.webhookConcurrency - this.#busy.of(webhookId), free, left));
  }

  /** Begins an attempt. @returns a function to call once when it has ended. */
  take(webhookId: number): () => void {
    const { prompt, onFreed } = this.#options;
    let kind: 'prompt' | 'slow' = this.#slow.has(webhookId) ? 'slow' : 'prompt';
    let isSlow = false;
    this.#inUse[kind] += 1;
    this.#busy.increment(webhookId);
    const late = setTimeout(() => {
      isSlow = true;
      this.#slow.set(webhookId, true);
      this.#inUse[kind] -= 1;
      kind = 'slow';
      this.#inUse[kind] += 1;
      onFreed();
    }, prompt);
    late.unref();
    return () => {
      clearTimeout(late);
      this.#inUse[kind] -= 1;
      this.#busy.decrement(webhookId);
      if (!isSlow) this.#slow.delete(webhookId);
    };
  }
}
