/**
 * `node src/cli/compile.ts`: loads what a server or a command loads, whatever its settings will choose. With
 * NODE_COMPILE_CACHE Node writes down what it compiled of that when this ends, and every start afterwards is spared it.
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
import '../http/routes/metrics.ts';
import '../observability/opentelemetry.ts';
import '../payments/sandbox.ts';
import '../payments/stripe.ts';
import '../cluster/redis.ts';
import '../http/lifecycle/shutdown.ts';
import './run.ts';
import './terminal.ts';
