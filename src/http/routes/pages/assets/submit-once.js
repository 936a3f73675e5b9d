/**
 * Sends a form once, also after a double-click: a second submission would cancel the first, whose response cannot come again.
 *
 * Buttons stay enabled, so that the form is sent with the name and value of the pressed one.
 */

/**
 * Milliseconds until a form can be sent again from the same page, which stays if the person has stopped its loading, or if the response
 * has opened an app on the device.
 */
const PAUSE = 10_000;

/** When a form of the page was sent. */
let sentAt = Number.NEGATIVE_INFINITY;

addEventListener('submit', (event) => {
  if (event.timeStamp - sentAt < PAUSE) event.preventDefault();
  else sentAt = event.timeStamp;
});

addEventListener('pageshow', ({ persisted }) => {
  // The person has gone back to the page, as the browser has kept it.
  if (persisted) sentAt = Number.NEGATIVE_INFINITY;
});
