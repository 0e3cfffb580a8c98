import { type Problem, type Problems, storeDown } from './problem.ts'
import { logRolledBack } from './store.ts'

/** The operator has to look at it. */
const unsigned: Problem = [
  503,
  'store_unavailable',
  'The log cannot be signed until the operator of the service has looked at it: try again later',
]

export const evidenceProblems = {
  TreeChanging: () => [503, 'store_unavailable', 'The tree over the log is being made again: try again in a minute'],
  LogRolledBack: () => logRolledBack,
  CheckpointNotContinued: () => unsigned,
  LogKeyLacking: () => unsigned,
  NoTransparencyLog: () => unsigned,
  CheckpointsNotKept: () => [...storeDown],
} satisfies Partial<Problems>
