import type { xdr } from '@stellar/stellar-sdk'
import type { Journal } from '../journal.ts'
import { type Agreed, agreed } from './invocation-tree.ts'

/** Follows the running calls through one tree of calls that an address has agreed to. */
export interface Tracker {
  readonly enter: () => void
  readonly leave: () => void
  /** Whether the tree's first call is running. */
  readonly isActive: () => boolean
  readonly isMatchedHere: () => boolean
  /** Takes the running call as the next in the tree, if it is there, unused and, for the first one, `mayBegin`. */
  readonly match: (id: string, mayBegin: boolean) => boolean
  /** Adds the running call to a tree that is being recorded, inside the innermost of its calls that run. */
  readonly record: (call: xdr.SorobanAuthorizedFunction) => void
}

/** `depth` is how many calls are running; a recorded tree begins with the last of them. */
export const tracker = (root: Agreed, { note }: Journal, depth: number): Tracker => {
  const matched: (Agreed | undefined)[] = new Array<undefined>(depth).fill(undefined)
  let hasEnded = false
  if (root.isUsed) matched[depth - 1] = root

  const isRunning = () => matched.includes(root)
  const matchHere = (call: Agreed): void => {
    const place = matched.length - 1
    matched[place] = call
    note(() => {
      matched[place] = undefined
      if (call === root) hasEnded = false
    })
  }
  const use = (call: Agreed): void => {
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
      const candidates = isRunning() ? (innermost()?.inside ?? []) : mayBegin ? [root] : []
      const found = candidates.find((call) => !call.isUsed && call.id === id)
      if (found === undefined) return false
      use(found)
      return true
    },
    record: (call) => {
      const added = agreed(call, [], true)
      const { inside } = innermost() ?? root
      inside.push(added)
      note(() => void inside.splice(inside.indexOf(added), 1))
      matchHere(added)
    },
  }
}
