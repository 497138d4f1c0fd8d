/* Preloaded into a server: makes syncs of files in one folder fail, or keeps a copy of what each sync made safe.

   SANDTABLE_DISK  the folder. While it holds a file "fail-sync", every sync there fails and makes nothing safe.
                   While it holds "full", every write there fails as on a full disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static int is_there(const char *name) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", getenv("SANDTABLE_DISK"), name);
    return access(path, F_OK) == 0;
}

static int is_ours(int fd, char *path) {
    const char *folder = getenv("SANDTABLE_DISK");
    char link[64];
    if (!folder) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 16);
    if (length < 0) return 0;
    path[length] = 0;
    struct stat found;
    return strncmp(path, folder, strlen(folder)) == 0 && fstat(fd, &found) == 0 && S_ISREG(found.st_mode);
}

static void keep_copy(const char *path) {
    static char buffer[1 << 16];
    char fresh[PATH_MAX], kept[PATH_MAX];
    snprintf(fresh, sizeof fresh, "%s.fresh", path);
    snprintf(kept, sizeof kept, "%s.synced", path);
    int from = open(path, O_RDONLY), to = open(fresh, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    ssize_t length;
    while ((length = read(from, buffer, sizeof buffer)) > 0)
        if (write(to, buffer, length) != length) abort();
    close(from);
    close(to);
    rename(fresh, kept);
}

static int sync_with(const char *name, int fd) {
    int (*real)(int) = dlsym(RTLD_NEXT, name);
    char path[PATH_MAX];
    if (!is_ours(fd, path)) return real(fd);
    if (is_there("fail-sync")) {
        errno = EIO;
        return -1;
    }
    int result = real(fd);
    if (result == 0) keep_copy(path);
    return result;
}

int fsync(int fd) { return sync_with("fsync", fd); }
int fdatasync(int fd) { return sync_with("fdatasync", fd); }

static ssize_t write_with(const char *name, int fd, const void *data, size_t size, off_t at) {
    ssize_t (*real)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, name);
    char path[PATH_MAX];
    if (is_ours(fd, path) && is_there("full")) {
        errno = ENOSPC;
        return -1;
    }
    return real(fd, data, size, at);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { return write_with("pwrite", fd, data, size, at); }
ssize_t pwrite64(int fd, const void *data, size_t size, off_t at) { return write_with("pwrite64", fd, data, size, at); }
