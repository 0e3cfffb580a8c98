import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

type Variables = Readonly<Record<string, string | undefined>>

/** The variables that may hold a secret, such as a key in the address of a node. */
const secretVariables = [
  'QUITTANCE_MASTER_KEY',
  'QUITTANCE_EVENT_STORE',
  'QUITTANCE_DATABASE_URL',
  'QUITTANCE_VAULT_URL',
  'QUITTANCE_TESTNET_RPC_URLS',
  'QUITTANCE_MAINNET_RPC_URLS',
  'QUITTANCE_SCREENING_URL',
  'QUITTANCE_SCREENING_TOKEN',
  'QUITTANCE_PATHS_URL',
  'QUITTANCE_PATHS_URL_TESTNET',
  'QUITTANCE_PATHS_URL_MAINNET',
  'QUITTANCE_ALARM_URL',
  'QUITTANCE_ALARM_SECRET',
  'QUITTANCE_SMTP_URL',
  'QUITTANCE_MAIL_FROM',
  'QUITTANCE_API_KEY',
  'QUITTANCE_SOURCE_SECRET',
  'QUITTANCE_NEW_MASTER_KEY',
  'QUITTANCE_RECOVERY_SECRET',
]

const fileVariableOf = (variable: string): string => `${variable}_FILE`

export const secretFileVariables = secretVariables.map(fileVariableOf)

/** The secrets in files: `<variable>_FILE` names the file of a variable. White space around a value is not part of it. */
export type SecretFiles = {
  readonly values: ReadonlyMap<string, string>
  readonly problems: ReadonlyArray<{ readonly variable: string; readonly expected: string }>
}

export const secretFilesIn = (variables: Variables): SecretFiles => {
  const values = new Map<string, string>()
  const problems: Array<SecretFiles['problems'][number]> = []
  for (const variable of secretVariables) {
    const path = variables[fileVariableOf(variable)] ?? ''
    if (path === '') continue
    const value = (variables[variable] ?? '') === '' ? textOf(path) : E.left(`unset, since ${variable} is set`)
    if (E.isRight(value)) values.set(variable, value.right)
    else problems.push({ variable: fileVariableOf(variable), expected: value.left })
  }
  return { values, problems }
}

/** The value of a secret variable or of its file; empty without one, or where the file has a problem. */
export const secretOf = (variables: Variables, variable: string): string =>
  secretFilesIn(variables).values.get(variable) ?? variables[variable] ?? ''

const textOf = (path: string): E.Either<string, string> => {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return text === '' ? E.left(`a file that is not empty: ${path}`) : E.right(text)
  } catch (cause) {
    return E.left(`a file that can be read: ${path} (${SystemError.is(cause) ? cause.code : 'unknown error'})`)
  }
}

const SystemError = t.type({ code: t.string })
