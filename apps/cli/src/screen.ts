/** Shows the progress of a command, apart from its result. */
export type Screen = {
  /** Whether a person watches, so that a line can replace the one before it. */
  readonly isTerminal: boolean
  /** Whether the result goes to a terminal, which understands colours. */
  readonly showsOutput: boolean
  readonly write: (text: string) => void
}

export const noScreen: Screen = { isTerminal: false, showsOutput: false, write: () => {} }
