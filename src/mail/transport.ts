/** How a message leaves the server. */
import type { Logger } from 'pino';
import { LIMITS } from '../core/limits.ts';

export interface Message {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** The mail server will not take this message, now or later: it does not know the recipient, for instance. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
}

/**
 * Resolves when the mail server has taken the message.
 *
 * @throws MessageRefused, and errors of another kind for failures that may pass. None of them quotes the message.
 */
export type SendMessage = (message: Message) => Promise<void>;

export interface MailServer {
  /** `smtp://` or `smtps://`, with the credentials. */
  readonly url: string;
  /** The sender. */
  readonly from: string;
  /** Milliseconds for one message, {@link LIMITS.mailTimeout} when left out. */
  readonly timeout?: number;
}

/** Sends over SMTP, a connection for each message. Nodemailer is loaded only where there is a mail server. */
export async function openMailServer({
  url,
  from,
  timeout = LIMITS.mailTimeout,
}: MailServer): Promise<SendMessage> {
  const { createTransport } = await import('nodemailer');
  return ({ to, subject, text }) =>
    // As an object an address is taken as it is: no text in it makes it several.
    withTransport(createTransport(transportOptions(url, timeout)), timeout, (transport) =>
      transport.sendMail({ from, to: { name: '', address: to }, subject, text }),
    );
}

/**
 * Connects, signs in where the URL has credentials, and disconnects.
 *
 * @throws an Error that says why that is not possible.
 */
export async function checkMailServer({
  url,
  timeout = LIMITS.mailTimeout,
}: Pick<MailServer, 'url' | 'timeout'>): Promise<void> {
  const { createTransport } = await import('nodemailer');
  await withTransport(createTransport(transportOptions(url, timeout)), timeout, (transport) =>
    transport.verify(),
  );
}

const transportOptions = (url: string, timeout: number) => ({
  url,
  // Each step may take as long; the whole is bounded below.
  connectionTimeout: timeout,
  greetingTimeout: timeout,
  socketTimeout: timeout,
  dnsTimeout: timeout,
  disableFileAccess: true,
  disableUrlAccess: true,
});

async function withTransport<T extends { close(): void }>(
  transport: T,
  timeout: number,
  work: (transport: T) => Promise<unknown>,
): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The mail server took too long.')), timeout);
  try {
    await Promise.race([work(transport), late]);
  } catch (error) {
    throw withoutQuotes(error);
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

/** What responses of mail servers quote (addresses, and the message) stays out of errors, and so out of logs. */
function withoutQuotes(error: unknown): Error {
  const { code, responseCode } = Object(error) as { code?: unknown; responseCode?: unknown };
  const status = typeof responseCode === 'number' ? responseCode : undefined;
  const text = `The mail server failed${status === undefined ? '' : ` with ${status}`} (${String(code ?? 'no code')}).`;
  // RFC 5321, section 4.2.1: 5yz is permanent. Of the connection and of signing in it is for an operator to correct.
  const isPermanent = status !== undefined && status >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  if (isPermanent) return new MessageRefused(text);
  return error instanceof Error && code === undefined ? error : new Error(text);
}

/** For development: the messages, with their links, go to the log. */
export const sendToLog =
  (logger: Logger): SendMessage =>
  async ({ to, subject, text }) => {
    logger.info({ to, subject, text }, 'mail, which is not sent without MAIL_URL');
  };
