import { says, text } from '@quittance/client/wire'
import { isLoopbackHost } from '@quittance/domain'
import type { SandboxInbox } from '@quittance/host'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { mailSecurityHeaders, renderInbox, renderNoInbox } from '../page/index.ts'
import { open } from '../wire/auth.ts'
import { page, type Route } from '../wire/route.ts'
import { sendPage } from './send-page.ts'

const html = 'text/html; charset=utf-8'
const document = { _tag: 'media', type: 'text/html' } as const

/** The mails of the sandbox as a page, for a browser on the same machine: they hold codes that let people in. */
export const inboxRoutes = (inbox: Pick<SandboxInbox, 'all'>, publicUrl: () => string): ReadonlyArray<Route> => {
  const refused = (reply: FastifyReply) => sendPage(reply, 404, renderNoInbox)
  return [
    page({
      path: '/sandbox/inbox',
      summary: 'Show the mails of the sandbox',
      auth: open,
      isBounded: true,
      answers: { 200: document, 404: document },
      handler: async ({ request }, reply) =>
        isAtHome(request, publicUrl())
          ? sendPage(reply, 200, (reader) => renderInbox(reader, inbox.all()), { hasFrames: true })
          : refused(reply),
    }),
    page({
      path: '/sandbox/inbox/:mail',
      summary: 'Show a mail of the sandbox',
      auth: open,
      params: { mail: says('The number of the mail.', text(20)) },
      isBounded: true,
      answers: { 200: document, 404: document },
      handler: async ({ request, param }, reply) => {
        const mail = inbox.all().find(({ id }) => String(id) === param('mail'))
        return mail === undefined || !isAtHome(request, publicUrl())
          ? refused(reply)
          : reply.headers(mailSecurityHeaders).type(html).send(mail.html)
      },
    }),
  ]
}

const isOwnMachine = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address)

/**
 * Whether the visitor sits at the machine of the service: the connection comes from it, nobody has forwarded the request, and
 * both the address in the browser and the public one name it. So a page elsewhere that has its name point here sees nothing.
 */
const isAtHome = ({ socket, headers, host }: FastifyRequest, publicUrl: string): boolean =>
  isOwnMachine(socket.remoteAddress ?? '') &&
  ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].every((name) => headers[name] === undefined) &&
  isLoopback(`http://${host}`) &&
  isLoopback(publicUrl)

const isLoopback = (url: string): boolean => URL.canParse(url) && isLoopbackHost(new URL(url).hostname)
