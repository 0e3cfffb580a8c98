import { QuittanceError } from '@quittance/client'
import { eventSelectors, isSelected } from '@quittance/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { printable } from '../answer.ts'
import { type Command, mandatoryOption, option } from '../command.ts'
import { misuse, refused } from '../complaint.ts'

const name = 'listen'

const interrupted = (): AbortSignal => {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}

/** Events on a developer's own machine. */
export const listen: Command = {
  name,
  summary: 'Forwards events to an address on this machine.',
  explanation: `Forwards what happens from now on, until it is interrupted: as a webhook would be sent, signed with a secret that it
shows, which is the same each time for the same key. It listens to the sandbox that serves the data directory, or to the
service that QUITTANCE_API_URL and QUITTANCE_API_KEY name.`,
  options: [
    mandatoryOption('--forward-to <address>', 'Where to: https, or http on this machine.'),
    option('--events <a.b,c.*>', 'Which events, as of an endpoint. Left out: all.'),
  ],
  example: {
    words: '--forward-to http://localhost:4000/hook',
    prints: 'Forwarded 3 events, of which 0 failed.',
    json: '{"secret":"whsec_…","forwarded":3,"failed":0}',
  },
  run: (given, site, screen) => {
    const url = given.required('forward-to')
    if (!URL.canParse(url) || !/^https?:/.test(url))
      return TE.left(misuse('--forward-to takes an http(s) address.', name))
    const selectors = (given.option('events') ?? '*').split(',')
    const unknown = selectors.find((each) => !eventSelectors.has(each))
    if (unknown !== undefined) return TE.left(misuse(`${unknown} is no event: see docs/webhook-events.md.`, name))
    const isWanted = (type: string): boolean => isSelected(selectors, type)
    return pipe(
      site.service,
      TE.chain((service) =>
        TE.tryCatch(
          async () => {
            // Loaded only here: help and complaints should appear at once.
            const { forwardEvents, secretFor } = await import('../forward-events.ts')
            const tell = (line: string): void => screen.write(`${line}\n`)
            const counts = await forwardEvents({ service, url, isWanted, tell, signal: interrupted() })
            return { secret: secretFor(service), ...counts }
          },
          (cause) => {
            if (!(cause instanceof QuittanceError)) throw cause
            return refused('service_refused', printable(cause.message))
          },
        ),
      ),
      TE.map((json) => ({
        status: 0,
        json,
        text: `Forwarded ${json.forwarded} events, of which ${json.failed} failed.`,
      })),
    )
  },
}
