import * as TE from 'fp-ts/lib/TaskEither.js'

/** The list cannot be read, or the service does not answer as it should. `cause` is for the operator. */
export type ScreeningUnavailable = { readonly _tag: 'ScreeningUnavailable'; readonly cause: string }

/** Tells with whom the service must not deal. */
export interface Screening {
  /** False if none is configured: then nobody is listed. */
  readonly isOn: boolean
  /** Those of the addresses (`G…`, `C…`) that are listed. */
  readonly listed: (addresses: ReadonlyArray<string>) => TE.TaskEither<ScreeningUnavailable, ReadonlySet<string>>
}

export const noScreening: Screening = { isOn: false, listed: () => TE.right(new Set()) }

/** Lists whom any of them lists. All must answer: a list that cannot be read may name somebody. */
export const screeningBy = (screenings: ReadonlyArray<Screening>): Screening => ({
  isOn: screenings.some(({ isOn }) => isOn),
  listed: (addresses) => async () => {
    const listed = new Set<string>()
    const answers = await Promise.all(screenings.map((each) => each.listed(addresses)()))
    for (const answer of answers) {
      if (answer._tag === 'Left') return answer
      for (const address of answer.right) listed.add(address)
    }
    return TE.right<ScreeningUnavailable, ReadonlySet<string>>(listed)()
  },
})
