export { masterKeyFromHex } from '@quittance/billing'
export type { BackgroundWork } from './background-work.ts'
export { type Backup, type BackupFailure, makeBackup } from './backup/make-backup.ts'
export { type Restored, type RestoreFailure, restoreBackup } from './backup/restore-backup.ts'
export { type RewrapRefusal, rewrapDatabase, rewrapDataDir } from './backup/rewrap.ts'
export { checkedContents, type VaultToRead } from './checked-contents.ts'
export { type Closers, closeAll } from './closers.ts'
export { committedContract } from './committed-contract.ts'
export { openPlatform } from './composition/open-platform.ts'
export { openRoot } from './composition/open-root.ts'
export {
  BACKGROUND_WORK,
  CATCH_UP,
  CLOSERS,
  CONFIG,
  DATA_DIR,
  HEALTH,
  OPERATOR_LOG,
  PUBLIC_ADDRESS,
  RUN_MAILING,
  SANDBOX_INBOX,
  SANDBOX_NODE,
} from './composition/tokens.ts'
export { type Config, configFrom } from './config.ts'
export { configuredLedger } from './configured-ledger.ts'
export { type DataDir, DataDirInUse, dataFiles } from './data-dir.ts'
export { environments } from './environments.ts'
export type { Health } from './health.ts'
export { logStream } from './log-stream.ts'
export type { RunMailing } from './mail/run-mailing.ts'
export type { SandboxInbox } from './mail/sandbox-inbox.ts'
export { presentMasterKey } from './master-key.ts'
export { copyPathOf } from './moving/copied-log.ts'
export { copyKeyFiles, copyKeys, type FinishFailure, finishCopy, holdsAnother } from './moving/finish-copy.ts'
export { beginInDatabase, type DatabaseKeeper, finishInDatabase, finishInFiles } from './moving/finish-database.ts'
export { checkKeys, type Keeper, type KeyFailure, sharesVault } from './moving/kept.ts'
export type { OperatorLog } from './operator-log.ts'
export { otherNetworks } from './other-networks.ts'
export type { Platform } from './platform.ts'
export type { PublicAddress } from './public-address.ts'
export type { Readiness } from './readiness.ts'
export { lastFacts, writeSandboxFacts } from './sandbox-facts.ts'
export type { SandboxNode } from './sandbox-node.ts'
export { type SandboxWallet, sandboxWallet } from './sandbox-wallet.ts'
export { secretOf } from './secret-files.ts'
export { type ConfigProblem, problemText } from './settings.ts'
export { traceIdsNow } from './tracing/trace-ids-in-logs.ts'
export { withoutSessionIds } from './without-session-ids.ts'
export type { CatchUp } from './workers.ts'
