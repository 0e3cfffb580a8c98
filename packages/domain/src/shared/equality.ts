/** Whether two values made of plain objects, arrays and primitives say the same. */
export const isSame = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const left = Object.entries(one)
  const right = new Map<string, unknown>(Object.entries(other))
  return left.length === right.size && left.every(([key, value]) => right.has(key) && isSame(value, right.get(key)))
}
