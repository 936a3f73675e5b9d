/** Paths for operators, which no page may read: probes and metrics. They are served under any load. */
export const OPERATOR_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);
