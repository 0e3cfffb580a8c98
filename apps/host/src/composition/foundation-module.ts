import * as billing from '@quittance/billing'
import { ContainerModule } from 'inversify'
import { type Closers, closedLater } from '../closers.ts'
import type { Config } from '../config.ts'
import { sandboxInbox } from '../mail/sandbox-inbox.ts'
import { smtpMailer } from '../mail/smtp-mailer.ts'
import { publicAddress } from '../public-address.ts'
import type { Foundation } from './foundation.ts'
import * as host from './tokens.ts'

/** What was checked and opened, and of it what every composition of the billing core needs. */
export const foundationModule = ({ config, files, masterKey, clock, sandbox, closers }: Foundation): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(host.CONFIG).toConstantValue(config)
    bind(host.DATA_DIR).toConstantValue(files)
    bind(host.SANDBOX_NODE).toConstantValue(sandbox)
    bind(host.CLOSERS).toConstantValue(closers)
    bind(billing.MASTER_KEY).toConstantValue(masterKey)
    bind(billing.CLOCK).toConstantValue(clock)
    bind(billing.ERASED_SUBJECTS).toConstantValue(billing.erasedSubjectsFile(files.erased))
    const screening = screeningOf(config, closers)
    const smtp = config.smtp === null ? null : closedLater(closers, smtpMailer(config.smtp))
    const inbox = sandbox === null ? null : sandboxInbox(() => clock.now('testnet'))
    bind(host.SANDBOX_INBOX).toConstantValue(inbox)
    const address = publicAddress(config.publicUrl, `http://${config.host}:${config.port}`)
    bind(host.PUBLIC_ADDRESS).toConstantValue(address)
    bind(billing.DEPLOYMENT).toResolvedValue(
      (vault, networks) => ({
        vault,
        clock,
        networks,
        publicUrl: address.url,
        omnibusAccounts: config.omnibusAccounts,
        witnessKeys: config.witnesses.map(({ key }) => key),
        markFile: files.logMark,
        screening,
        mailers: { testnet: inbox ?? smtp, mainnet: smtp },
      }),
      [billing.VAULT, host.NETWORKS],
    )
  })

const screeningOf = ({ screening, denyList }: Config, closers: Closers) => {
  const service = screening === null ? [] : [closedLater(closers, billing.screeningService(screening))]
  const denied = denyList === null ? [] : [billing.denyFile(denyList)]
  return billing.screeningBy([...denied, ...service])
}
