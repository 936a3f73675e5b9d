/** The signing secrets of webhooks. They are stored encrypted, and encrypted again when there is a newer key. */
import { LIMITS } from '../core/limits.ts';
import { type Vault, VaultError } from '../core/vault.ts';
import type { Database } from '../db/database.ts';
import { type KeptSecrets, sealWebhookSecrets, unsealedWebhooks } from '../db/queries/webhooks.ts';

/** The location of a webhook's secrets for {@link Vault}. Both secrets share it: the former one was once the current one. */
export const vaultPath = ({ org, id }: { readonly org: string; readonly id: number }): string =>
  `webhooks/${org}/${id}/secret`;

/**
 * Encrypts with the newest key all secrets stored in clear or under an older key. Several instances may do so at once.
 *
 * @param signal stops the work between two batches.
 * @returns the number of webhooks whose secrets were encrypted, and the ids of those whose present secret cannot be decrypted,
 *   which need a new one.
 * @throws errors of the database.
 */
export async function resealSecrets(
  database: Database,
  vault: Vault,
  signal?: AbortSignal,
): Promise<{ readonly sealed: number; readonly unreadable: readonly number[] }> {
  const unreadable: number[] = [];
  let sealed = 0;
  let afterId = 0;
  for (;;) {
    const page = await unsealedWebhooks(database, vault.prefix, afterId, LIMITS.purgeBatch);
    const [last] = page.slice(-1);
    if (!last || signal?.aborted) return { sealed, unreadable };
    const renewals: [KeptSecrets, string][] = [];
    for (const kept of page) {
      const renewed = await renew(kept, vault);
      if (renewed === 'unreadable') unreadable.push(kept.id);
      else if (renewed.secret !== kept.secret || renewed.formerSecret !== kept.formerSecret)
        renewals.push([renewed, kept.secret]);
    }
    await database.transaction(async (tx) => {
      for (const [renewed, from] of renewals) await sealWebhookSecrets(tx, { ...renewed, from });
    });
    sealed += renewals.length;
    afterId = last.id;
  }
}

async function renew(kept: KeptSecrets, vault: Vault): Promise<KeptSecrets | 'unreadable'> {
  const path = vaultPath(kept);
  const again = async (text: string) =>
    text.startsWith(vault.prefix) ? text : vault.seal(await vault.open(text, path), path);
  const readable = <Other>(text: string, other: Other) =>
    again(text).catch((error: unknown) => {
      if (error instanceof VaultError) return other;
      throw error;
    });
  const secret = await readable(kept.secret, undefined);
  if (secret === undefined) return 'unreadable';
  // A former secret that cannot be decrypted, which may be why it was replaced, must not keep the present one under a key that expires.
  const formerSecret = kept.formerSecret && (await readable(kept.formerSecret, kept.formerSecret));
  return { ...kept, secret, formerSecret };
}
