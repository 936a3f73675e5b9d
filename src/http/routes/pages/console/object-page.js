import { html } from './html.js';
import { Empty, PageHead, Problem, Skeleton } from './ui.js';

/**
 * The page of one object: placeholders until it has been read, and a message if it does not exist or cannot be read.
 *
 * @param kind the kind of the object, such as `Order`, which is in the title unless the object has one of its own.
 * @param read the result of `useQuery`, with the object in its data: undefined until it has been read, null if it does not exist.
 * @param actions returns the buttons of the object.
 * @param absent a sentence about why the object may not exist.
 * @param children returns the content of the page.
 */
export function ObjectPage({
  kind,
  id,
  title = `${kind} ${id}`,
  back,
  operation,
  read,
  object,
  actions,
  absent,
  children,
}) {
  const { data, error, again } = read;
  const isAbsent = object === null;
  const isReadable = !isAbsent && (!error || data);
  return html`
    <${PageHead} title=${title} back=${back} operation=${isReadable ? operation : undefined}>${object && actions?.(object)}<//>
    ${
      isAbsent
        ? html`<${Empty} title="There is no such ${kind.toLowerCase()}.">${absent && html`<p>${absent}</p>`}<//>`
        : !isReadable
          ? html`<${Problem} error=${error} again=${again} />`
          : object
            ? children(object)
            : html`<${Skeleton} lines=${8} />`
    }
  `;
}
