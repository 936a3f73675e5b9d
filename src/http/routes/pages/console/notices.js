/** Messages about changes, and about why they were refused. */
import { signal } from '@preact/signals';
import { sentence } from './format.js';

/** A message about the last change, which screen readers announce. */
export const notice = signal(null);

let noticeTimer;

/** @param error the error that the message is about. */
export function notify(text, isProblem = false, error = undefined) {
  clearTimeout(noticeTimer);
  notice.value = { text, isProblem, error };
  noticeTimer = setTimeout(() => {
    notice.value = null;
  }, 6000);
}

/**
 * Returns the message of a refusal, with the names of the invalid inputs. Pages send versions without people knowing about them.
 *
 * @param labelOf returns what a form calls an input, if it has it. Otherwise `input.match.sanUri` is "San uri".
 */
export const refusalOf = ({ code, message, details = [] }, labelOf = () => undefined) =>
  code === 'precondition_failed'
    ? 'It was changed meanwhile. Close this, check the change, and try again.'
    : details.length === 0
      ? message
      : details
          .map(({ path, message: reason }) => {
            const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '';
            const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
            return `${labelOf(name) ?? sentence(words)} ${reason}.`;
          })
          .join(' ');
