/** Collects undo steps, newest last. */
export interface Journal {
  readonly note: (undo: () => void) => void
  /** Runs a function and undoes its steps when it throws. */
  readonly attempt: <A>(run: () => A) => A
}

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
