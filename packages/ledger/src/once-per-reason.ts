import type { Halted } from './ingestion.ts'

/** The reason, without what changes while the node closes and prunes more ledgers. */
const reasonOf = (halted: Halted): string => {
  switch (halted._tag) {
    case 'RangePruned':
      return `${halted._tag} ${halted.from}`
    case 'LedgerWentBack':
      return `${halted._tag} ${halted.cursor.sequence}`
    case 'NodesDisagree':
      return `${halted._tag} ${halted.sequence} ${halted.about}`
    case 'LedgerUnreadable':
    case 'LedgerGap':
    case 'ChainBroken':
      return JSON.stringify(halted)
  }
}

/** Calls the alarm for each new reason to halt; after `clear` any reason is new again. */
export const oncePerReason = (alarm: (halted: Halted) => void) => {
  let raised: string | null = null
  return {
    raise: (halted: Halted): void => {
      const reason = reasonOf(halted)
      if (reason !== raised) alarm(halted)
      raised = reason
    },
    clear: (): void => {
      raised = null
    },
  }
}
