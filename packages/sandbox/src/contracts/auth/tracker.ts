import type { xdr } from '@stellar/stellar-sdk'
import type { Journal } from '../journal.ts'
import { type AuthorizedCall, authorizedCall } from './authorized-calls.ts'

/** Matches running calls against one tree of authorized calls. */
export interface Tracker {
  readonly enter: () => void
  readonly leave: () => void
  /** Whether the tree's root call is running. */
  readonly isActive: () => boolean
  readonly isMatchedHere: () => boolean
  /** Uses the running call's place in the tree, if it has one that is unused. Only `mayBegin` allows the root. */
  readonly match: (id: string, mayBegin: boolean) => boolean
  /** Adds the running call to a tree being recorded, inside the innermost running call. */
  readonly record: (call: xdr.SorobanAuthorizedFunction) => void
}

/** `depth` is the number of running calls; a recorded tree begins with the last of them. */
export const tracker = (root: AuthorizedCall, { note }: Journal, depth: number): Tracker => {
  const matched: (AuthorizedCall | undefined)[] = new Array<undefined>(depth).fill(undefined)
  let hasEnded = false
  if (root.isUsed) matched[depth - 1] = root

  const isRunning = () => matched.includes(root)
  const matchHere = (call: AuthorizedCall): void => {
    const place = matched.length - 1
    matched[place] = call
    note(() => {
      matched[place] = undefined
      if (call === root) hasEnded = false
    })
  }
  const use = (call: AuthorizedCall): void => {
    call.isUsed = true
    note(() => {
      call.isUsed = false
    })
    matchHere(call)
  }
  const innermost = () => matched.findLast((call) => call !== undefined)

  return {
    enter: () => void matched.push(undefined),
    leave: () => {
      if (matched.pop() === root) hasEnded = true
    },
    isActive: () => root.isUsed && !hasEnded,
    isMatchedHere: () => matched.at(-1) !== undefined,
    match: (id, mayBegin) => {
      if (matched.at(-1) !== undefined) return false
      const candidates = isRunning() ? (innermost()?.subCalls ?? []) : mayBegin ? [root] : []
      const found = candidates.find((call) => !call.isUsed && call.id === id)
      if (found === undefined) return false
      use(found)
      return true
    },
    record: (call) => {
      const added = authorizedCall(call, [], true)
      const { subCalls } = innermost() ?? root
      subCalls.push(added)
      note(() => void subCalls.splice(subCalls.indexOf(added), 1))
      matchHere(added)
    },
  }
}
