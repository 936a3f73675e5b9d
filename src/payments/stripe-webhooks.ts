import Stripe from 'stripe';
import { LIMITS } from '../core/limits.ts';

/**
 * Verifies a message as Stripe signs it.
 *
 * @param body its bytes as they came.
 * @param signature the header `Stripe-Signature`.
 * @returns the id of the event, the same each time that it is sent; undefined when none of the secrets has signed it lately.
 */
export type VerifyStripeEvent = (body: Buffer, signature: string, now: Date) => string | undefined;

const SECOND = 1000;

/**
 * @param secrets `whsec_…`, those of the endpoint as Stripe shows them: two while one replaces the other. None verify nothing.
 */
export function createStripeVerifier(secrets: readonly string[]): VerifyStripeEvent {
  const tolerance = LIMITS.signatureTolerance / SECOND;
  const verify = (secret: string, body: Buffer, signature: string, now: Date): string | undefined => {
    try {
      return Stripe.webhooks.constructEvent(body, signature, secret, tolerance, undefined, now.getTime()).id;
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
      // Only a JSON object is an event, even when the signature is valid.
      if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
      throw error;
    }
  };
  return (body, signature, now) => {
    for (const secret of secrets) {
      const id = verify(secret, body, signature, now);
      if (id !== undefined) return id;
    }
    return undefined;
  };
}
