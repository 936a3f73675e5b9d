import type { onSendAsyncHookHandler } from 'fastify';
import { turnEnd } from '../../core/turn.ts';

/** Sends the responses of one turn of the event loop together. */
export const sendAtTurnEnd: onSendAsyncHookHandler = () => turnEnd();
