import { eventually } from './eventually.ts'
import type { Service } from './service.ts'

const isCode = /^[0-9A-Z]{4}-[0-9A-Z]{4}$/

/** The first mail of the sandbox to an address with a code, once it is there; after the one with a code that was `seen`. */
export const mailTo = async ({ api }: Pick<Service, 'api'>, address: string, seen: string | null = null) => {
  const mails = async () => (await api('/sandbox/mail')).body.data
  const isNext = (mail: { to: string; text: string }) => {
    const [first = ''] = mail.text.split('\n')
    return mail.to === address && isCode.test(first) && first !== seen
  }
  return (await eventually(mails, (all) => all.some(isNext))).find(isNext)
}

/** The code in that mail. */
export const codeTo = async (...of: Parameters<typeof mailTo>): Promise<string> =>
  (await mailTo(...of)).text.split('\n')[0]
