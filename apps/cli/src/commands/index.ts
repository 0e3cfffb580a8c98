import type { Command } from '../command.ts'
import { accountRotate, accountShow } from './account.ts'
import { approvalApprove, approvalList, approvalReject } from './approval.ts'
import { archive } from './archive.ts'
import { backup } from './backup.ts'
import { channelCreate } from './channel-create.ts'
import { checkpoint } from './checkpoint.ts'
import { contractDeploy } from './contract-deploy.ts'
import { contractId } from './contract-id.ts'
import { contractList, contractMigrate, contractMigrations } from './contract-migrate.ts'
import { contractVerify } from './contract-verify.ts'
import { copy } from './copy.ts'
import { customerExport } from './customer-export.ts'
import { customerMerge } from './customer-merge.ts'
import { doctor } from './doctor.ts'
import { environmentReset } from './environment-reset.ts'
import { evidence } from './evidence.ts'
import { explain } from './explain.ts'
import { exportJournal } from './export-journal.ts'
import { feeCollect, feeSet, feeShow } from './fee.ts'
import { freeze, freezeList, merchantReinstate, merchantSuspend, unfreeze } from './freeze.ts'
import { keyCreate } from './key-create.ts'
import { keyList } from './key-list.ts'
import { keyRevoke } from './key-revoke.ts'
import { keyRotate } from './key-rotate.ts'
import { ledgerCompare } from './ledger-compare.ts'
import { ledgerResume } from './ledger-resume.ts'
import { limitList, limitSet } from './limit.ts'
import { listen } from './listen.ts'
import { memberInvite, memberList, memberRemove } from './member.ts'
import { merchantAssets } from './merchant-assets.ts'
import { merchantBalance } from './merchant-balance.ts'
import { merchantClose } from './merchant-close.ts'
import { merchantCreate } from './merchant-create.ts'
import { merchantDestination } from './merchant-destination.ts'
import { merchantExport } from './merchant-export.ts'
import { merchantImport } from './merchant-import.ts'
import { merchantInspect } from './merchant-inspect.ts'
import { merchantList } from './merchant-list.ts'
import { merchantPayout } from './merchant-payout.ts'
import { merchantPayouts } from './merchant-payouts.ts'
import { merchantSet } from './merchant-set.ts'
import { merchantSetup } from './merchant-setup.ts'
import { operatorAdopt, operatorCreate, operatorShow } from './operator.ts'
import { rebuild } from './rebuild.ts'
import { reconcile } from './reconcile.ts'
import { recoveryPrepare, recoverySet, recoverySubmit } from './recovery.ts'
import { recoverySend } from './recovery-send.ts'
import { recoveryCreate, recoverySign } from './recovery-sign.ts'
import { restore } from './restore.ts'
import { restoreAccept } from './restore-accept.ts'
import { screening, screeningResolve } from './screening.ts'
import { settlementDeclare } from './settlement-declare.ts'
import { settlementExpect } from './settlement-expect.ts'
import { settlementFunding } from './settlement-funding.ts'
import { show } from './show.ts'
import { subscriptionAllow } from './subscription-allow.ts'
import { subscriptionList } from './subscription-list.ts'
import { transactionDecide } from './transaction-decide.ts'
import { transactionList } from './transaction-list.ts'
import { usage } from './usage.ts'
import { vaultRewrap } from './vault-rewrap.ts'
import { verify } from './verify.ts'
import { whatif } from './whatif.ts'

/** Every command, in the order in which a newcomer meets them. */
export const commands: ReadonlyArray<Command> = [
  merchantCreate,
  merchantSetup,
  merchantAssets,
  merchantSet,
  merchantList,
  merchantBalance,
  merchantDestination,
  merchantPayout,
  merchantPayouts,
  merchantSuspend,
  merchantReinstate,
  merchantClose,
  merchantExport,
  merchantInspect,
  merchantImport,
  settlementExpect,
  settlementDeclare,
  settlementFunding,
  keyCreate,
  keyRotate,
  keyRevoke,
  keyList,
  memberInvite,
  memberList,
  memberRemove,
  freeze,
  unfreeze,
  freezeList,
  show,
  customerExport,
  customerMerge,
  limitSet,
  limitList,
  approvalList,
  approvalApprove,
  approvalReject,
  screening,
  screeningResolve,
  doctor,
  listen,
  verify,
  checkpoint,
  evidence,
  reconcile,
  usage,
  exportJournal,
  whatif,
  explain,
  feeSet,
  feeShow,
  feeCollect,
  rebuild,
  copy,
  archive,
  backup,
  restore,
  restoreAccept,
  vaultRewrap,
  channelCreate,
  operatorCreate,
  operatorShow,
  operatorAdopt,
  accountRotate,
  recoveryCreate,
  recoverySet,
  recoveryPrepare,
  recoverySign,
  recoverySubmit,
  recoverySend,
  accountShow,
  contractDeploy,
  contractId,
  contractVerify,
  contractList,
  contractMigrate,
  contractMigrations,
  transactionList,
  transactionDecide,
  subscriptionList,
  subscriptionAllow,
  ledgerResume,
  environmentReset,
  ledgerCompare,
]
