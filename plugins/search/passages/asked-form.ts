const asking =
  /\?|^\W*(?:(?:and|so|but|please|now|ok|hi|hello)\W+)*(?:where|what|which|who|whose|whom|how|why|when|whether|is|are|was|were|does|do|did|can|could|should|would|will|may|has|have|find|show|list|explain|describe|tell|give|search|locate|point)\b|[,;:]\s*(?:where|what|which|who|how|why|when)\b/i;

/**
 * Whether a text asks for something, in words or by its mark. Others tell what is wrong or is to
 * change: those are about the files that most work goes on in, which are long.
 */
export function asks(text: string): boolean {
  return asking.test(text);
}
