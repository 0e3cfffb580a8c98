import * as t from 'io-ts'
import { says } from './codecs.ts'
import { objectOf } from './fields.ts'

/** A page of a list, newest first. */
export const listOf = <C extends t.Mixed>(resource: C) =>
  t.type(
    {
      object: objectOf('list'),
      data: says('The records of this page.', t.readonlyArray(resource)),
      has_more: says('Whether more records follow.', t.boolean),
      url: says('The path of the list.', t.string),
    },
    `${resource.name}List`,
  )
