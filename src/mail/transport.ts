/** Sends mail over SMTP. */
import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';
import { LIMITS } from '../core/limits.ts';
import { unlessLate } from '../core/promises.ts';

export interface Message {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** The mail server permanently refuses this message, for example because the recipient is unknown. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
}

/**
 * Sends a message. Resolves when the mail server has accepted it. The signal ends the attempt, in which case the mail server may
 * have accepted it or not.
 *
 * @throws MessageRefused, and other errors for temporary failures. None of them quotes the message.
 */
export type SendMessage = (message: Message, signal: AbortSignal) => Promise<void>;

interface MailServer {
  /** `smtp://` or `smtps://`, with the credentials. */
  readonly url: string;
  /** The sender. */
  readonly from: string;
  /** Milliseconds for one message, {@link LIMITS.mailTimeout} when left out. */
  readonly timeout?: number;
}

/** Sends mail over SMTP, with one connection per message. */
export const openMailServer =
  ({ url, from, timeout = LIMITS.mailTimeout }: MailServer): SendMessage =>
  ({ to, subject, text }, stopping) =>
    withTransport(url, timeout, (transport) => {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeout)]);
      // An address in an object is used as it is: no text in it can make it a list of addresses.
      return transport.sendMail({ from, to: { name: '', address: to }, subject, text, signal });
    });

/**
 * Connects to the mail server, authenticates if the URL has credentials, and disconnects.
 *
 * @throws an Error with the reason if that fails.
 */
export const checkMailServer = ({
  url,
  timeout,
}: Required<Pick<MailServer, 'url' | 'timeout'>>): Promise<void> =>
  withTransport(url, timeout, (transport) =>
    unlessLate(transport.verify(), timeout, () => new Error('The mail server took too long.')),
  );

/** Runs the work with a connection. Nodemailer is loaded only if there is a mail server. */
async function withTransport(
  url: string,
  timeout: number,
  work: (transport: Transporter) => Promise<unknown>,
): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url,
    // The timeout of each step. The callers apply it to the whole as well.
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await work(transport);
  } catch (error) {
    throw withoutQuotes(error);
  } finally {
    transport.close();
  }
}

/** Removes what mail servers quote in responses (addresses and the message) from errors, and so from logs. */
function withoutQuotes(error: unknown): Error {
  const { code, responseCode } = Object(error) as { code?: unknown; responseCode?: unknown };
  const status = typeof responseCode === 'number' ? responseCode : undefined;
  const text = `The mail server failed${status === undefined ? '' : ` with ${status}`} (${String(code ?? 'no code')}).`;
  // RFC 5321, section 4.2.1: 5yz is permanent. If it concerns the connection or authentication, an operator has to fix it.
  const isPermanent = status !== undefined && status >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  if (isPermanent) return new MessageRefused(text);
  return error instanceof Error && code === undefined ? error : new Error(text);
}

/** For development: writes messages, with their links, to the log. */
export const sendToLog =
  (logger: Logger): SendMessage =>
  async ({ to, subject, text }) => {
    logger.info({ to, subject, text }, 'mail, which is not sent without MAIL_URL');
  };
