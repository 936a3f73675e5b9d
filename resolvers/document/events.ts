import { CLASSIFICATIONS, SHARE_RELATIONS } from '../../src/db/tables/documents.ts';
import { declareEvents, id, oneOf, optional, text } from '../../src/events/declare.ts';

const scope = 'read:docs';

const data = {
  title: optional(text('The title. Omitted for confidential documents.')),
  classification: oneOf(CLASSIFICATIONS, 'The classification after the change.'),
};

const shared = {
  ...data,
  user_id: id('The person that the document is or was shared with.'),
  relation: oneOf(SHARE_RELATIONS, 'The relation of the share.'),
};

export const events = declareEvents({
  'document.created': { scope, description: 'A document was created.', data },
  'document.updated': {
    scope,
    description: 'The title, text or classification of a document was changed.',
    data,
  },
  'document.deleted': { scope, description: 'A document was deleted.', data },
  'document.shared': {
    scope,
    description: 'A document was shared with a person, or the relation of a share was changed.',
    data: shared,
  },
  'document.unshared': { scope, description: 'A share of a document was removed.', data: shared },
});
