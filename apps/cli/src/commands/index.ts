import type { Command } from '../command.ts'
import { accountRotate, accountShow } from './account.ts'
import { backup } from './backup.ts'
import { channelCreate } from './channel-create.ts'
import { contractDeploy } from './contract-deploy.ts'
import { contractVerify } from './contract-verify.ts'
import { copy } from './copy.ts'
import { doctor } from './doctor.ts'
import { freeze, freezeList, merchantReinstate, merchantSuspend, unfreeze } from './freeze.ts'
import { keyCreate } from './key-create.ts'
import { keyList } from './key-list.ts'
import { keyRevoke } from './key-revoke.ts'
import { keyRotate } from './key-rotate.ts'
import { ledgerCompare } from './ledger-compare.ts'
import { ledgerResume } from './ledger-resume.ts'
import { listen } from './listen.ts'
import { merchantAssets } from './merchant-assets.ts'
import { merchantBalance } from './merchant-balance.ts'
import { merchantClose } from './merchant-close.ts'
import { merchantCreate } from './merchant-create.ts'
import { merchantDestination } from './merchant-destination.ts'
import { merchantList } from './merchant-list.ts'
import { merchantPayout } from './merchant-payout.ts'
import { merchantPayouts } from './merchant-payouts.ts'
import { merchantSet } from './merchant-set.ts'
import { merchantSetup } from './merchant-setup.ts'
import { operatorCreate, operatorShow } from './operator.ts'
import { rebuild } from './rebuild.ts'
import { reconcile } from './reconcile.ts'
import { restore } from './restore.ts'
import { restoreAccept } from './restore-accept.ts'
import { settlementDeclare } from './settlement-declare.ts'
import { settlementExpect } from './settlement-expect.ts'
import { settlementFunding } from './settlement-funding.ts'
import { subscriptionAllow } from './subscription-allow.ts'
import { subscriptionList } from './subscription-list.ts'
import { transactionDecide } from './transaction-decide.ts'
import { transactionList } from './transaction-list.ts'
import { vaultRewrap } from './vault-rewrap.ts'
import { verify } from './verify.ts'

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
  settlementExpect,
  settlementDeclare,
  settlementFunding,
  keyCreate,
  keyRotate,
  keyRevoke,
  keyList,
  freeze,
  unfreeze,
  freezeList,
  doctor,
  listen,
  verify,
  reconcile,
  rebuild,
  copy,
  backup,
  restore,
  restoreAccept,
  vaultRewrap,
  channelCreate,
  operatorCreate,
  operatorShow,
  accountRotate,
  accountShow,
  contractDeploy,
  contractVerify,
  transactionList,
  transactionDecide,
  subscriptionList,
  subscriptionAllow,
  ledgerResume,
  ledgerCompare,
]
