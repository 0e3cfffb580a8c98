/** Where a command shows how far it is, apart from its answer. */
export type Screen = {
  /** Whether a person watches, so that a line can be written over. */
  readonly isTerminal: boolean
  /** Whether the answer itself goes to a terminal, which understands colours. */
  readonly showsAnswer: boolean
  readonly write: (text: string) => void
}

export const noScreen: Screen = { isTerminal: false, showsAnswer: false, write: () => {} }
