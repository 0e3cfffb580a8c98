import { gone, type Problems } from './problem.ts'

export const historyProblems = {
  HistoryNotFound: ({ kind }) => gone(kind.replaceAll('_', ' ')),
  EntryNotFound: () => [
    400,
    'invalid_request',
    '"starting_after" must be the id of an entry of this history',
    'starting_after',
  ],
} satisfies Partial<Problems>
