/** What is for those who run the server, and no page: probes and metrics. They are answered under any load. */
export const OPERATOR_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);
