/** How to undo what has been done, newest last. */
export interface Journal {
  readonly note: (undo: () => void) => void
  /** Runs something that leaves no trace when it throws. */
  readonly attempt: <A>(run: () => A) => A
}

/** Undoing costs as much as was done, not as much as is stored. */
export const journal = (): Journal => {
  const undos: (() => void)[] = []
  return {
    note: (undo) => void undos.push(undo),
    attempt: (run) => {
      const mark = undos.length
      try {
        return run()
      } catch (caught) {
        while (undos.length > mark) undos.pop()?.()
        throw caught
      }
    },
  }
}
