import type { Freezes } from '../freeze/index.ts'
import type { Funding } from '../funding/index.ts'
import type { LogHistory } from '../log-history/index.ts'
import type { LogTransparency } from '../log-transparency/index.ts'
import type { Migrations } from '../migration/index.ts'
import type { Reservation } from '../reservation/index.ts'
import type { Holds } from '../screening/index.ts'
import type { Behind } from './behind.ts'

export const behindFreeze: Behind<typeof Freezes> = (_, { type, data }) => {
  switch (type) {
    case 'Frozen':
      return [{ type: 'Freeze', ...data }]
    case 'Unfrozen':
      return [{ type: 'Unfreeze', ...data }]
    case 'MerchantClosingBegun':
      return [{ type: 'BeginClosing', ...data }]
  }
}

export const behindFunding: Behind<typeof Funding> = (_, { type, data }) => {
  switch (type) {
    case 'FundingAnnounced':
      return [{ type: 'AnnounceFunding', ...data }]
    case 'FundingReceived':
      return [{ type: 'ReceiveFunding', ...data }]
    case 'OwnMovementBooked':
      return [{ type: 'BookOwnMovement', ...data }]
  }
}

export const behindLogHistory: Behind<typeof LogHistory> = (_, { type, data }) => {
  switch (type) {
    case 'LogRollbackFound':
      return [{ type: 'ReportRollback', ...data }]
    case 'ForgottenTransactionFound':
      return [{ type: 'ReportForgottenTransaction', ...data }]
    case 'LogAccepted':
      return [{ type: 'AcceptLog', ...data }]
  }
}

export const behindLogTransparency: Behind<typeof LogTransparency> = (_, { type, data }) => {
  switch (type) {
    case 'TransparencyLogBegun':
      return [{ type: 'BeginTransparencyLog', ...data }]
    case 'TransparencyKeyRotated':
      return [{ type: 'RotateTransparencyKey', ...data }]
  }
}

export const behindMigration: Behind<typeof Migrations> = (_, { type, data }, [second]) => {
  switch (type) {
    case 'MigrationBegun':
      return [{ type: 'BeginMigration', ...data }]
    case 'MigrationCanceled':
      return [
        { type: 'CancelMigration', ...data },
        ...(second?.type === 'MigrationBegun' ? [{ type: 'BeginMigration' as const, ...second.data }] : []),
      ]
    case 'MigrationCompleted':
      return [{ type: 'CompleteMigration', ...data }]
  }
}

export const behindReservation: Behind<typeof Reservation> = ({ generation }, { type, data: { owner } }) => {
  switch (type) {
    case 'Claimed':
      return [{ type: 'Claim', owner }]
    case 'TakenOver':
      return [{ type: 'TakeOver', owner, generation }]
    case 'Released':
      return [{ type: 'Release', owner, generation }]
  }
}

export const behindScreening: Behind<typeof Holds> = (_, { type, data }) => {
  switch (type) {
    case 'MoneyHeld':
      return [{ type: 'HoldMoney', ...data }]
    case 'HoldDecided':
      return [{ type: 'DecideHold', ...data }]
  }
}
