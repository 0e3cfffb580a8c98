import { hash, verify } from '@node-rs/argon2'

/** The least that OWASP asks for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One password, however a keyboard composes its letters. */
const normal = (password: string): string => password.normalize('NFKC')

export const hashPassword = (password: string): Promise<string> => hash(normal(password), cost)

// Nobody's password, so that a sign-in with an unknown email takes as long as any other.
let nobodys: Promise<string> | null = null

/** Whether a password has this hash. Without one it never has, and costs the same. */
export const isPassword = async (known: string | null, password: string): Promise<boolean> => {
  nobodys ??= hashPassword('nobody has this password')
  const isRight = await verify(known ?? (await nobodys), normal(password))
  return isRight && known !== null
}
