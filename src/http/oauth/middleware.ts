import type { KoaContextWithOIDC, Provider } from 'oidc-provider';

export type Middleware = (ctx: KoaContextWithOIDC, next: () => Promise<unknown>) => Promise<void>;

/** Adds a middleware to oidc-provider, inside of those that were added before. */
export function use(provider: Provider, middleware: Middleware): void {
  // oidc-provider adds its own members to the contexts, which the types of its `use` lack.
  provider.use((ctx, next) => middleware(ctx as unknown as KoaContextWithOIDC, next));
}
