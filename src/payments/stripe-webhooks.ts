import Stripe from 'stripe';
import { isIdentifier } from '../core/characters.ts';
import { LIMITS, SECOND } from '../core/limits.ts';

/**
 * Verifies the signature of a message from Stripe.
 *
 * @param body the bytes as received.
 * @param signature the header `Stripe-Signature`.
 * @returns the id of the event, which is the same each time Stripe sends it; undefined unless it was signed recently with one of
 *   the secrets, and has an id.
 */
export type VerifyStripeEvent = (body: Buffer, signature: string, now: Date) => string | undefined;

/** How messages of the payment provider are verified. */
export interface PaymentMessages {
  /** The secrets with which the provider signs its messages. */
  readonly paymentEventsSecrets: readonly string[];
  /** Verifies messages of Stripe; undefined if none are accepted. */
  readonly verifyStripeEvent: VerifyStripeEvent | undefined;
}

/**
 * @param secrets the `whsec_…` secrets of the endpoint as Stripe shows them: two during a rotation. Without any, no message is
 *   accepted.
 */
export function createStripeVerifier(secrets: readonly string[]): VerifyStripeEvent {
  const tolerance = LIMITS.signatureTolerance / SECOND;
  const verify = (secret: string, body: Buffer, signature: string, now: Date): string | undefined => {
    try {
      const { webhooks } = Stripe;
      const { id } = webhooks.constructEvent(body, signature, secret, tolerance, undefined, now.getTime());
      // The package does not check the event. Events without an id of their own would count as repetitions of each other.
      return isIdentifier(id) ? id : undefined;
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
      // Only a JSON object is an event, even when the signature is valid.
      if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
      throw error;
    }
  };
  return (body, signature, now) =>
    secrets
      .values()
      .map((secret) => verify(secret, body, signature, now))
      .find((id) => id !== undefined);
}
