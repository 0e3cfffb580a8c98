import { setTimeout as pause } from 'node:timers/promises'
import { type Ask, askAt } from '@quittance/http/testing/kills/ask'

const answeredWithinMs = 10_000
const betweenTriesMs = 100

type Count = { sent: number; answered: number; refused: number; unanswered: number }

/** What a request is, whatever it is about: its method, and its path with no ids. */
const kindOf = (path: string, method: string): string =>
  `${method} ${path.replace(/\?.*/, '').replace(/\/[a-z]+_[0-9A-Za-z]+/g, '/:id')}`

const codeIn = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : ''

/** Told how long each answer took. */
type OnAnswer = (kind: string, ms: number) => void

/**
 * Asks all servers in turn, and counts requests by their kind. A server that may be stopped is left after a while: the next
 * one gets the request again.
 */
export const openAsking = (urls: () => ReadonlyArray<string>, apiKey: string, onAnswer: OnAnswer = () => undefined) => {
  const counts = new Map<string, Count>()
  const refusals = new Map<string, number>()
  const wrong: Array<string> = []
  let turn = 0

  /** Asks one server once; null where it gives no answer. */
  const ask: Ask = async (path, asked = {}) => {
    const kind = kindOf(path, asked.method ?? (asked.body === undefined ? 'GET' : 'POST'))
    const count = counts.get(kind) ?? { sent: 0, answered: 0, refused: 0, unanswered: 0 }
    counts.set(kind, count)
    const all = urls()
    turn += 1
    const url = all[turn % all.length]
    if (url === undefined) {
      await pause(betweenTriesMs)
      return null
    }
    count.sent += 1
    const sentAt = performance.now()
    const answer = await Promise.race([
      askAt(url, apiKey)(path, asked).catch((cause: unknown) => {
        // A server that is killed in the midst of its answer leaves half a text.
        if (!(cause instanceof SyntaxError)) throw cause
        return null
      }),
      pause(answeredWithinMs, null, { ref: false }),
    ])
    if (answer === null) {
      count.unanswered += 1
      return null
    }
    onAnswer(kind, performance.now() - sentAt)
    const { status, body } = answer
    if (status < 300) count.answered += 1
    else {
      count.refused += 1
      const refusal = `${kind}: ${status} ${codeIn(body)}`
      refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1)
      if (status >= 500 && status !== 503) wrong.push(`${kind} was answered ${status} ${JSON.stringify(body)}`)
    }
    return answer
  }

  return {
    ask,
    wrong,
    /** Asks until there is an answer that is not about now. */
    insist: async (path: string, asked: Parameters<Ask>[1] = {}) => {
      for (;;) {
        const answer = await ask(path, asked)
        if (answer !== null && answer.status !== 503 && codeIn(answer.body) !== 'request_in_progress') return answer
        await pause(betweenTriesMs)
      }
    },
    /** How many requests got no answer. */
    unanswered: (): number => [...counts.values()].reduce((sum, each) => sum + each.unanswered, 0),
    figures: (): Readonly<Record<string, string>> => ({
      ...Object.fromEntries(
        [...counts]
          .toSorted(([one], [other]) => one.localeCompare(other))
          .map(([kind, { sent, answered, refused, unanswered }]) => [
            `${kind}: sent / answered / refused / unanswered`,
            `${sent} / ${answered} / ${refused} / ${unanswered}`,
          ]),
      ),
      ...Object.fromEntries([...refusals].map(([refusal, times]) => [`refused: ${refusal}`, String(times)])),
    }),
  }
}

export type Asking = ReturnType<typeof openAsking>
