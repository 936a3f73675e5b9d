/**
 * `node src/cli/compile.ts`: loads all modules that a server or a command can load, with any settings. With
 * NODE_COMPILE_CACHE, Node stores the compiled code when this process ends, and later starts do not compile it again.
 */
import 'pino';
import '../app.ts';
import '../auth/keys.ts';
import '../config.ts';
import '../db/postgres/engine.ts';
import '../db/postgres/migrate.ts';
import '../db/sqlite/engine.ts';
import '../db/sqlite/migrate.ts';
import './demo/install.ts';
import '../core/free-port.ts';
import './greeting.ts';
import '../http/routes/mcp/protocol.ts';
import '../http/routes/metrics.ts';
import '../observability/opentelemetry.ts';
import '../payments/sandbox.ts';
import '../payments/stripe.ts';
import '../cluster/redis.ts';
import '../http/lifecycle/shutdown.ts';
import './run.ts';
import './terminal.ts';
