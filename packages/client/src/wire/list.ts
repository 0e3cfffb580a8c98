import * as t from 'io-ts'
import { says } from './codecs.ts'

/** A page of a list, newest first. */
export const listOf = <C extends t.Mixed>(resource: C) =>
  t.type(
    {
      object: t.literal('list'),
      data: t.readonlyArray(resource),
      has_more: says('Whether more records follow.', t.boolean),
      url: says('The path of the list.', t.string),
    },
    `${resource.name}List`,
  )
