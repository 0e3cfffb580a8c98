import * as t from 'io-ts'
import { says } from './codecs.ts'
import { objectOf } from './fields.ts'

/** What the log has recorded, as a file that others verify. Its text is the proof: written again, it may be refused. */
export const Evidence = t.type(
  {
    object: objectOf('evidence'),
    file: says('The text of the file. Write it as it is.', t.string),
  },
  'Evidence',
)
export type Evidence = t.TypeOf<typeof Evidence>
