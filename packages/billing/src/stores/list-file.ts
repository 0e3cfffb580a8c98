import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'

/** The list in a file; empty without one, or without a whole one. */
export const readListFile = <A>(path: string, list: t.Type<ReadonlyArray<A>, unknown>): ReadonlyArray<A> => {
  try {
    const found = list.decode(JSON.parse(readFileSync(path, 'utf8')))
    return E.isRight(found) ? found.right : []
  } catch {
    return []
  }
}

/** Replaces a file, which is its owner's alone; returns once it is on the disk under its name. Throws file system errors. */
export const replaceFile = (path: string, text: string): void => {
  const fresh = `${path}.${process.pid}`
  const file = openSync(fresh, 'w', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(fresh, path)
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
