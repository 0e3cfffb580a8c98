import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { keepToOwner } from '@quittance/event-store/sqlite'

/** Lists the subjects whose keys were destroyed, apart from every backup, so that an older vault does not bring a key back. */
export interface ErasedSubjects {
  readonly all: () => ReadonlyArray<string>
  /** Returns once they are on the disk; throws if they cannot be. */
  readonly add: (subjects: ReadonlyArray<string>) => void
}

/**
 * In a file with one id on each line, to which processes append at the same time; so two lists are joined by writing one
 * behind the other. A line that a power failure has cut is nobody's id, and its erasure had not been answered.
 */
export const erasedSubjectsFile = (path: string): ErasedSubjects => ({
  all: () =>
    existsSync(path) ? [...new Set(readFileSync(path, 'utf8').split('\n'))].filter((line) => line !== '') : [],
  add: (subjects) => {
    if (subjects.length === 0) return
    const isNew = !existsSync(path)
    const file = openSync(path, 'a', 0o600)
    try {
      const isCut = !isNew && !/(^|\n)$/.test(readFileSync(path, 'utf8'))
      writeFileSync(file, `${isCut ? '\n' : ''}${subjects.join('\n')}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    keepToOwner(path)
    if (isNew) syncDirectory(dirname(path))
  },
})

const syncDirectory = (path: string): void => {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

/** Outlives no process, as beside a vault in memory. */
export const erasedInMemory = (): ErasedSubjects => {
  const subjects = new Set<string>()
  return {
    all: () => [...subjects],
    add: (more) => {
      for (const each of more) subjects.add(each)
    },
  }
}
