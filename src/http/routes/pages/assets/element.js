/** Creates an element. @param properties its properties, and attributes that have no property. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/**
 * Makes a form call a function instead of sending itself. It cannot be called again before it has ended, so that a second click sends no
 * second request.
 *
 * @param place the element that shows the message of a failure.
 */
export function handleSubmit(form, place, submit) {
  const button = form.querySelector('[type="submit"]');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await submit();
    } catch (error) {
      place.textContent = error.message;
    } finally {
      button.disabled = false;
    }
  });
}
