import { secondMs } from '@quittance/domain'
import { noteLimits } from '@quittance/transparency'
import { request } from 'undici'
import type { PostToWitness } from './ask-witness.ts'

const answerWithinMs = 5 * secondMs

/** Posts to a witness. It answers within seconds, and briefly, or it does not count. It is sent nowhere else. */
export const postToWitness: PostToWitness = async (url, body) => {
  const { statusCode, body: answer } = await request(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    signal: AbortSignal.timeout(answerWithinMs),
  })
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > noteLimits.length) throw new RangeError('its answer is too long')
  }
  return { status: statusCode, text }
}
