import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { RequireStillValid } from '../../auth/revalidation.ts';
import { monotonicTime } from '../../core/clock.ts';
import { type Deadline, type Deadlines, onAbort } from '../../core/deadline.ts';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { unlessAborted } from '../../core/promises.ts';
import type { Snapshot } from '../../db/database.ts';
import { type Context, createContext } from '../../pipeline/context.ts';
import { noteRequest } from '../../pipeline/run.ts';
import type { Export, ExportPage, ExportRun } from '../../rest/export/export.ts';
import type { ExportFormat } from '../../rest/export/formats.ts';
import type { RestRequest } from '../../rest/handle/binding.ts';
import { evaluate, readConditions } from '../../rest/handle/conditions.ts';
import { takeOver } from '../headers.ts';
import { beginCompression } from '../hooks/compression.ts';
import { untilGone } from '../hooks/request-context.ts';
import type { WantedExport } from '../negotiation.ts';
import type { HttpParts } from '../parts.ts';
import { presentedBy } from '../tls/presented.ts';
import { ExportBody } from './body.ts';
import type { ExportSlots } from './slots.ts';

export interface ExportingParts extends HttpParts {
  readonly requireStillValid: RequireStillValid;
  readonly slots: ExportSlots;
  /** Deadlines of whole exports. */
  readonly times: Deadlines;
}

/** A request for an export. */
export interface ExportRequest {
  readonly of: Export;
  readonly wanted: WantedExport;
  readonly request: RestRequest;
  /** Whether the response contains a secret, so that no cache may store it. */
  readonly isSecret: boolean;
}

/** One export, from its request to its last row. */
export class Exporting {
  /** Aborted at the deadline of the export, or when its client disconnects. */
  readonly life: Deadline;
  readonly #parts: ExportingParts;
  readonly #requested: ExportRequest;
  readonly #reply: FastifyReply;
  readonly #pages: ExportRun;
  #snapshot: Promise<Snapshot> | undefined;
  #leave: (() => void) | undefined;
  /** When the caller's rights were last checked, by the monotonic clock. */
  #checkedAt = monotonicTime();

  constructor(parts: ExportingParts, asked: ExportRequest, reply: FastifyReply) {
    this.#parts = parts;
    this.#requested = asked;
    this.#reply = reply;
    this.#pages = asked.of.begin(asked.request);
    this.life = untilGone(reply, parts.times.begin());
  }

  /** Runs the export. @throws ApiError before anything was sent. A later failure cuts off the response. */
  async run(): Promise<void> {
    try {
      await this.#respond();
    } finally {
      await this.#close();
    }
  }

  async #respond(): Promise<void> {
    const context = await this.#parts.openContext(this.#reply);
    const first = await this.#firstPage(context);
    const { of, wanted, isSecret } = this.#requested;
    const format = of.formats[wanted.type];
    if (isSecret) this.#reply.header('cache-control', 'no-store');
    if (first && this.#reply.request.raw.method !== 'HEAD') return this.#send(format, first, context);
    await this.#close();
    if (first) takeOver(this.#reply, { 'content-type': format.contentType }).end();
    else this.#reply.code(304).send();
  }

  /** Reads the first page, and counts the request. Returns undefined if the list is not to be sent. @throws ApiError. */
  async #firstPage(context: Context): Promise<ExportPage | undefined> {
    let isError = true;
    let isNotModified = false;
    try {
      const page = await this.#pages.next(context, {
        begin: () => this.#readSnapshot(context),
        check: () => {
          isNotModified = this.#isNotModified();
        },
      });
      isError = false;
      return isNotModified ? undefined : page;
    } finally {
      noteRequest(context, 'rest', this.#requested.of.name, isError);
    }
  }

  /** @throws ApiError `precondition_failed`. An export has no entity tag, so only `*` matches it. */
  #isNotModified(): boolean {
    const evaluation = evaluate(readConditions(this.#requested.request), undefined, true);
    if (evaluation === 'failed') throw new ApiError('precondition_failed');
    return evaluation === 'not modified';
  }

  async #send(format: ExportFormat, first: ExportPage, context: Context): Promise<void> {
    const { services, config } = this.#parts;
    const { wanted, isSecret } = this.#requested;
    const body = new ExportBody(this.#reply, {
      contentType: format.contentType,
      compression: config.http.compression && !isSecret ? beginCompression(this.#reply.request) : undefined,
      patience: config.timeouts.exportSilence,
      signal: this.life,
    });
    const ended = services.metrics.exportOpened();
    let rows = 0;
    try {
      await body.write(format.header);
      for await (const page of this.#pagesFrom(first, context)) {
        rows += page.length;
        await body.write(format.write(page));
      }
      body.end(format.end(rows, wanted.endLine), rows);
      ended('complete');
    } catch (error) {
      body.cut();
      ended('cut');
      this.#report(error, rows);
    }
  }

  /** Yields the rows of each page. The snapshot is closed before the last page is yielded. */
  async *#pagesFrom(first: ExportPage, context: Context): AsyncGenerator<ExportPage['rows']> {
    let page = first;
    for (let { requestCost } = context; !page.isLast; ) {
      yield page.rows;
      const untilPoints = requestCost.timeUntil(requestCost.most * LIMITS.exportReserve);
      await this.#rest(Math.max(untilPoints, this.#parts.slots.taken * LIMITS.exportRest));
      ({ page, requestCost } = await this.#nextPage(context));
    }
    await this.#close();
    yield page.rows;
  }

  /** Reads the next page. Where other operations are refused, for lack of points or overload, an export waits. */
  async #nextPage(begun: Context): Promise<{ page: ExportPage } & Pick<Context, 'requestCost'>> {
    for (;;) {
      await this.#checkRights(begun);
      const deadline = this.#parts.deadlines.begin();
      const forget = onAbort(this.life, () => deadline.abandon());
      const context = createContext(this.#parts.services, { ...callerOf(begun), at: this.#now() }, deadline);
      try {
        await this.#readSnapshot(context);
        return { page: await this.#pages.next(context), requestCost: context.requestCost };
      } catch (error) {
        this.life.throwIfAborted();
        if (!(error instanceof ApiError && (error.code === 'rate_limited' || error.code === 'overloaded')))
          throw error;
        await this.#rest((error.retryAfter ?? 1) * 1000);
      } finally {
        forget();
        deadline.meet();
        this.#notePoints(context);
      }
    }
  }

  /** Counts the points of a page after the first one, whose request has been counted. */
  #notePoints({ principal, at, requestCost, notePoints }: Context): void {
    const { name } = this.#requested.of;
    if (principal) notePoints(principal, { door: 'rest', name, at, points: requestCost.actual });
  }

  /** Makes a page read from the snapshot. The first page takes a slot and opens the snapshot. */
  async #readSnapshot({ principal, database }: Context): Promise<void> {
    if (!this.#snapshot) {
      this.#leave = this.#parts.slots.enter(principal?.org ?? '');
      this.#snapshot = this.#parts.services.database.snapshot(this.life);
    }
    database.readIn(await this.#snapshot);
  }

  /** Checks the caller's rights again, so that they are never older than those of other requests. */
  async #checkRights({ principal }: Context): Promise<void> {
    const now = monotonicTime();
    if (!principal || now - this.#checkedAt < LIMITS.presenceAge) return;
    const { headers, raw } = this.#reply.request;
    const shown = { authorization: headers.authorization, certificate: presentedBy(raw) };
    await this.#parts.requireStillValid(principal, shown, this.#now());
    this.#checkedAt = now;
  }

  #rest(milliseconds: number): Promise<void> {
    return unlessAborted(sleep(milliseconds, undefined, { ref: false }), this.life);
  }

  async #close(): Promise<void> {
    // If the snapshot could not be opened, the first page has reported the reason.
    const snapshot = await this.#snapshot?.catch(() => undefined);
    await snapshot?.close();
    this.#leave?.();
  }

  #report(error: unknown, rows: number): void {
    const { log, id } = this.#reply.request;
    if (error instanceof ApiError && error.code !== 'internal_error') {
      log.info({ reqId: id, code: error.code, rows }, 'an export was cut');
    } else log.error({ reqId: id, err: error, rows }, 'an export failed');
  }

  #now(): Date {
    return this.#parts.services.clock();
  }
}

const callerOf = ({ principal, address }: Context) => ({ principal, address });
