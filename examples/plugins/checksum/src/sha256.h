/* SHA-256 as FIPS 180-4 describes it, piece by piece. */
#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  uint32_t state[8];
  uint64_t length;
  uint8_t block[64];
  size_t filled;
} sha256_t;

static const uint32_t sha256_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void sha256_start(sha256_t *hash) {
  static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(hash->state, start, sizeof start);
  hash->length = 0;
  hash->filled = 0;
}

static uint32_t sha256_turn(uint32_t word, int by) { return word >> by | word << (32 - by); }

static void sha256_mix(sha256_t *hash) {
  uint32_t w[64], s[8];
  for (int i = 0; i < 16; i++) {
    const uint8_t *at = hash->block + i * 4;
    w[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
  }
  for (int i = 16; i < 64; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (sha256_turn(a, 7) ^ sha256_turn(a, 18) ^ a >> 3) + w[i - 7] +
           (sha256_turn(b, 17) ^ sha256_turn(b, 19) ^ b >> 10);
  }
  memcpy(s, hash->state, sizeof s);
  for (int i = 0; i < 64; i++) {
    uint32_t one = s[7] + (sha256_turn(s[4], 6) ^ sha256_turn(s[4], 11) ^ sha256_turn(s[4], 25)) +
                   ((s[4] & s[5]) ^ (~s[4] & s[6])) + sha256_k[i] + w[i];
    uint32_t two = (sha256_turn(s[0], 2) ^ sha256_turn(s[0], 13) ^ sha256_turn(s[0], 22)) +
                   ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += one;
    s[0] = one + two;
  }
  for (int i = 0; i < 8; i++) hash->state[i] += s[i];
}

static void sha256_add(sha256_t *hash, const uint8_t *bytes, size_t count) {
  hash->length += count;
  while (count > 0) {
    size_t take = 64 - hash->filled < count ? 64 - hash->filled : count;
    memcpy(hash->block + hash->filled, bytes, take);
    hash->filled += take;
    bytes += take;
    count -= take;
    if (hash->filled == 64) {
      sha256_mix(hash);
      hash->filled = 0;
    }
  }
}

/* In hex, with a NUL behind it. */
static void sha256_end(sha256_t *hash, char hex[65]) {
  uint64_t bits = hash->length * 8;
  uint8_t pad[72] = {0x80};
  size_t zeros = (hash->filled < 56 ? 56 : 120) - hash->filled;
  for (int i = 0; i < 8; i++) pad[zeros + i] = (uint8_t)(bits >> (56 - 8 * i));
  sha256_add(hash, pad, zeros + 8);
  for (int i = 0; i < 32; i++) {
    uint8_t byte = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
    hex[2 * i] = "0123456789abcdef"[byte >> 4];
    hex[2 * i + 1] = "0123456789abcdef"[byte & 15];
  }
  hex[64] = 0;
}

#endif
