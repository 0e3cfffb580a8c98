import { eventually } from './eventually.ts'
import type { Service } from './service.ts'

/** The first mail of the sandbox to an address, once it is there; after the one with a code that was `seen`. */
export const mailTo = async ({ api }: Pick<Service, 'api'>, address: string, seen: string | null = null) => {
  const mails = async () => (await api('/sandbox/mail')).body.data
  const isNext = (mail: { to: string; text: string }) => mail.to === address && mail.text.split('\n')[0] !== seen
  return (await eventually(mails, (all) => all.some(isNext))).find(isNext)
}

/** The code in that mail. */
export const codeTo = async (...of: Parameters<typeof mailTo>): Promise<string> =>
  (await mailTo(...of)).text.split('\n')[0]
