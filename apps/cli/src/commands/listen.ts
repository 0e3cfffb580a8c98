import { QuittanceError } from '@quittance/client'
import { eventSelectors, isSelected } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, mandatoryOption, option } from '../command.ts'
import { refused, usageError } from '../command-error.ts'
import { printable } from '../printing.ts'

const interrupted = (): AbortSignal => {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}

export const listen: Command = {
  name: 'listen',
  summary: 'Forwards events to an address on this machine.',
  explanation: `Forwards new events until it is interrupted, as a webhook would deliver them, and signs them with a secret that it shows.
The same key always has the same secret. It listens to the sandbox that serves the data directory, or to the service
that QUITTANCE_API_URL and QUITTANCE_API_KEY name.`,
  options: [
    mandatoryOption('--forward-to <address>', 'The receiver: https, or http on this machine.'),
    option('--events <a.b,c.*>', 'Which events, as in the settings of an endpoint; all unless given.'),
  ],
  needsSoundLog: false,
  example: {
    words: '--forward-to http://localhost:4000/hook',
    prints: 'Forwarded 3 events, of which 0 failed.',
    json: '{"secret":"whsec_…","forwarded":3,"failed":0}',
  },
  run: async (line, installation, screen) => {
    const url = line.required('forward-to')
    if (!URL.canParse(url) || !/^https?:/.test(url)) return E.left(usageError('--forward-to takes an http(s) address.'))
    const selectors = (line.option('events') ?? '*').split(',')
    const unknown = selectors.find((each) => !eventSelectors.has(each))
    if (unknown !== undefined) return E.left(usageError(`There is no event ${unknown}: see docs/webhook-events.md.`))
    const service = await installation.service()
    if (E.isLeft(service)) return service
    // Loaded only here: help and errors should appear at once.
    const { forwardEvents, secretFor } = await import('../forward-events.ts')
    try {
      const counts = await forwardEvents({
        service: service.right,
        url,
        isWanted: (type) => isSelected(selectors, type),
        report: (text) => screen.write(`${text}\n`),
        signal: interrupted(),
      })
      return E.right({
        status: 0,
        json: { secret: secretFor(service.right), ...counts },
        text: `Forwarded ${counts.forwarded} events, of which ${counts.failed} failed.`,
      })
    } catch (cause) {
      if (!(cause instanceof QuittanceError)) throw cause
      return E.left(refused('service_refused', printable(cause.message)))
    }
  },
}
